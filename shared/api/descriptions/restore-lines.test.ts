import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { restoreLines } from './restore-lines.ts';

describe('restoreLines', () => {
  for (const [what, text, expected] of [
    ['reads two blanks after a sentence as a paragraph', 'One.  Two.', 'One.\n\nTwo.'],
    ['keeps two blanks within a sentence', 'An event  will come.', 'An event  will come.'],
    ['reads three blanks as an indented line', 'Rules:  - a,   more.', 'Rules:\n\n- a,\n  more.'],
    ['reads four blanks as an indented line behind an empty one', 'Ranges:    a   b', 'Ranges:\n\n  a\n  b'],
    [
      'reads five blanks as a line that is indented twice',
      'All:   two:     one   three',
      'All:\n  two:\n    one\n  three',
    ],
    ['ends indented lines at a paragraph', 'Paths:   - a   - b  More of  it', 'Paths:\n  - a\n  - b\n\nMore of  it'],
    ['begins an item after the lines of another', 'So: - a   is b. - c   is d.', 'So: - a\n  is b.\n- c\n  is d.'],
  ] as const) {
    test(what, () => assert.equal(restoreLines(text), expected));
  }
});
