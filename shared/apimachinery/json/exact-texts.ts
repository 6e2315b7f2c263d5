/** Texts that the reference keeps exactly as they were sent, where that differs from how the value would be printed. */
const exactTexts = new WeakMap<object, string>();

/** Longer texts are not kept, only their values: scanning them would block other requests. */
export const maxExactText = 1 << 18;

/** The text as it was sent; undefined if printing the value gives the same text. */
export function exactTextOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? exactTexts.get(value) : undefined;
}

export function noteExactText(frozen: object, text: string): void {
  exactTexts.set(frozen, text);
}
