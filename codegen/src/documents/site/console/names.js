// What people read of the contract: names and descriptions, in the reader's language if the contract has texts in it, and else as the
// contract has them.
const tags = [navigator.language, navigator.language.split('-')[0]];
const inLanguage = (all) => tags.map((tag) => all?.[tag]).find(Boolean);
// The text of a thing, `{ name, doc }`. Where it has no `doc`, its name says all.
export const textOf = (thing) => inLanguage(thing?.['x-text']);
// `created_at`, as people write it.
export const words = (name) => {
  const text = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/\bid\b/, 'ID');
  return text[0].toUpperCase() + text.slice(1);
};
// A member or a parameter, by its schema.
export const nameOf = (name, schema) => textOf(schema)?.name ?? words(name);
export function docOf(schema) {
  const text = textOf(schema);
  return (text ? text.doc : schema?.description)?.replace(/`/g, '');
}
// A value of an enum.
const valueText = (schema, value) => inLanguage(schema?.['x-enum-text'])?.[schema.enum?.indexOf(value)];
export const valueName = (schema, value) => valueText(schema, value)?.name ?? words(String(value));
export function valueDoc(schema, value) {
  const text = valueText(schema, value);
  return text ? text.doc : schema['x-enum-descriptions']?.[schema.enum.indexOf(value)];
}
