/** How deep rules of the grammar and expressions may nest. */
export const deepest = 250;

/** Thrown if the tokens are not a valid expression; `parse/explain/` then finds the messages. */
export class Refused extends Error {}

/** Thrown where an expression nests too deeply. */
export class TooDeep extends Error {}
