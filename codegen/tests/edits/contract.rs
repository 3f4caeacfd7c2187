//! A contract with all its places in the grammar, and the names in it.

use super::demands::meaning;
use crate::mutations::yaml::Yaml;
use codegen::Model;
use codegen::syntax::{self, BUILT_IN_TYPES, Form, Key, Name, Scalar, Section, Uses};
use codegen::yaml::{Node, Value as Tree, parse};
use std::collections::HashMap;

/// A contract that can be edited.
pub(super) struct Contract {
    pub(super) name: &'static str,
    pub(super) tree: Yaml,
    pub(super) model: Model,
    /// The model without positions in the file.
    pub(super) meaning: String,
    pub(super) spots: Vec<Spot>,
    /// The declared or mentioned names of each kind.
    names: HashMap<Name, Vec<String>>,
    views: Vec<String>,
}

/// A place of the grammar in a tree.
pub(super) struct Spot {
    pub(super) path: String,
    /// The way to it as child indexes.
    pub(super) pointer: Vec<usize>,
    pub(super) section: &'static Section,
    pub(super) key: &'static Key,
    pub(super) form: &'static Form,
}

impl Contract {
    pub(super) fn parse(name: &'static str, source: &str) -> Contract {
        let tree = Yaml::parse(source).expect("ours are YAML");
        let text = tree.render();
        let model = codegen::compile(&text).unwrap_or_else(|diagnostics| panic!("{name}: {diagnostics:#?}"));
        let nodes = parse(&text, &mut Vec::new()).expect("what is written is YAML");
        let spots = spots(&nodes);
        let mut contract = Contract {
            name,
            tree,
            meaning: meaning(&model),
            model,
            spots,
            names: HashMap::new(),
            views: Vec::new(),
        };
        contract.collect_names();
        contract
    }

    /// The section of the whole file.
    pub(super) fn whole(&self) -> &'static Section {
        syntax::FILE
    }

    /// Whether it is read quickly.
    pub(super) fn is_small(&self) -> bool {
        self.spots.len() < 1000
    }

    fn collect_names(&mut self) {
        for spot in &self.spots {
            let node = self.tree.at(&spot.pointer);
            let (kind, found): (Name, Vec<&str>) = match (spot.form, node) {
                (Form::Map { names, .. }, Yaml::Map(entries)) => {
                    (*names, entries.iter().map(|(name, _)| name.as_str()).collect())
                }
                (Form::Scalar(Scalar::Name(name)), Yaml::Text(text)) => (*name, vec![text]),
                _ => continue,
            };
            if kind == Name::View {
                let resource = spot.path.split('.').nth(1).unwrap_or_default();
                let whole = found.iter().map(|view| format!("{resource}.{view}"));
                self.views.extend(whole);
            }
            let known = self.names.entry(kind).or_default();
            for name in found {
                if !known.iter().any(|known| known == name) {
                    known.push(name.to_owned());
                }
            }
        }
    }

    /// The names of a kind.
    pub(super) fn names(&self, kind: Name) -> &[String] {
        self.names.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// The number of declarations of a kind under a name.
    pub(super) fn declarations(&self, kind: Name, name: &str) -> usize {
        // These keys mention names, they do not declare them.
        let spots = self
            .spots
            .iter()
            .filter(|spot| !["owner", "makes"].contains(&spot.key.name) && spot.section.what != "texts");
        let declares = |spot: &&Spot| match (spot.form, self.tree.at(&spot.pointer)) {
            (Form::Map { names, .. }, Yaml::Map(entries)) => {
                *names == kind && entries.iter().any(|(own, _)| own == name)
            }
            _ => false,
        };
        spots.filter(declares).count()
    }

    /// The type names that are allowed at such a place.
    pub(super) fn types(&self, uses: Option<Uses>) -> Vec<String> {
        let ids = self.names(Name::Resource).iter().map(|name| format!("{name}.id"));
        match uses {
            Some(Uses::Path) => return ids.collect(),
            Some(Uses::Answer) => return self.views.clone(),
            _ => {}
        }
        let declared = [Name::Type, Name::Enum, Name::Object, Name::Input];
        let declared = declared.into_iter().flat_map(|kind| self.names(kind)).cloned();
        let built_in = BUILT_IN_TYPES.iter().map(|choice| choice.word.to_owned());
        declared.chain(ids).chain(built_in).chain(self.views.clone()).collect()
    }

    /// The values of a key of a section, wherever it occurs.
    pub(super) fn values(&self, section: &Section, key: &Key) -> Vec<Yaml> {
        let of_key = |spot: &&Spot| spot.section == section && spot.key.name == key.name;
        let own = |spot: &&Spot| spot.path.ends_with(&format!(".{}", key.name)) || spot.path == key.name;
        let spots = self.spots.iter().filter(of_key).filter(own);
        let mut values: Vec<Yaml> = Vec::new();
        for value in spots.map(|spot| self.tree.at(&spot.pointer)) {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        values
    }
}

fn spots(nodes: &Node) -> Vec<Spot> {
    let mut pointers = HashMap::new();
    point(nodes, &mut Vec::new(), &mut pointers);
    let spot = |place: syntax::Place<'_>| Spot {
        pointer: pointers[&std::ptr::from_ref(place.node)].clone(),
        path: place.path,
        section: place.section,
        key: place.key,
        form: place.form,
    };
    syntax::places(nodes).into_iter().map(spot).collect()
}

fn point(node: &Node, pointer: &mut Vec<usize>, pointers: &mut HashMap<*const Node, Vec<usize>>) {
    pointers.insert(node, pointer.clone());
    let children: Vec<&Node> = match &node.form {
        Tree::List(items) => items.iter().collect(),
        Tree::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    };
    for (number, child) in children.into_iter().enumerate() {
        pointer.push(number);
        point(child, pointer, pointers);
        pointer.pop();
    }
}
