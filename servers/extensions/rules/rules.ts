/** All that servers/extensions uses of the rules; load-rules.ts imports this module when it is first needed. */
export { defaultRules } from './default-rules.ts';
export { RuleScope } from './definition-rules.ts';
export { Correlated, noRatchet } from './correlation.ts';
export { maxObjectCost, RuleRun } from './rule-budget.ts';
export { ruleValidatorOf } from './rule-validator.ts';
export { withDoubles } from './with-doubles.ts';
