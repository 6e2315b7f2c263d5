/** How deeply grammar rules and expressions may be nested. */
export const maxDepth = 250;

/** Thrown if the tokens are not a valid expression; `parse/explain/` then finds the messages. */
export class ExpressionRejected extends Error {}

/** Thrown if an expression is nested too deeply. */
export class ExpressionTooDeep extends Error {}
