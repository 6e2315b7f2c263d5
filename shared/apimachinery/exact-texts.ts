/** Texts that the reference keeps byte by byte, where they are not the text that printing the value makes. */
const exactTexts = new WeakMap<object, string>();

/** Longer texts are kept as values alone: looking at them holds others up. */
export const maxExactText = 1 << 18;

/** The text as it came; undefined where it is the printed one. */
export function exactTextOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? exactTexts.get(value) : undefined;
}

export function noteExactText(frozen: object, text: string): void {
  exactTexts.set(frozen, text);
}
