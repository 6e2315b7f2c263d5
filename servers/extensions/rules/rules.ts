/** What servers/extensions asks of rules; imported late, by load-rules.ts. */
export { defaultRules } from './default-rules.ts';
export { RuleScope } from './definition-rules.ts';
export { Correlated, noRatchet } from './correlation.ts';
export { maxObjectCost, RuleRun } from './rule-budget.ts';
export { ruleValidatorOf } from './rule-validator.ts';
export { withDoubles } from './with-doubles.ts';
