//! `decision-node`: decisions that nothing in the file enacts.

use crate::report::Report;
use crate::spec::Spec;
use crate::tree::Node;

/// See the module.
pub(super) fn decision_node(spec: &Spec, tree: &Node, reports: &mut Vec<Report>) {
    for (name, decision) in &spec.decisions {
        let report = match (&decision.at, &decision.test) {
            (None, None) => {
                let message = format!(
                    "`{}` names neither the node that enacts it nor a test that shows it",
                    name.text
                );
                let help = "add `at: errors.invalid.status`, or `test: name_of_the_test`";
                Report::new("decision-node", name.at, message).help(help)
            }
            (Some(at), _) if tree.find(&at.text).is_none() => {
                let message = format!("nothing in this file is `{}`", at.text);
                let help = "a path names keys, and items of lists by their text: `resources.Book.views.item.title`";
                Report::new("decision-node", at.at, message).help(help)
            }
            _ => continue,
        };
        reports.push(report);
    }
}
