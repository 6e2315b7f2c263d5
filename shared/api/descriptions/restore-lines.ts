/**
 * Restores the line breaks of a text in which a generator wrote a blank for each. Two blanks are the start of a
 * paragraph after the end of a sentence, or of an indented line; more of them are the indentation of a line, behind an
 * empty line if their number is even. An indented line ends where a paragraph or the next item begins.
 */
export function restoreLines(text: string): string {
  let indented = false;
  let lines = '';
  for (const [, blanks = '', words = ''] of text.matchAll(/( {2,})?((?:(?! {2}).)+)/g)) {
    const isBreak = blanks.length > 2 || indented || /[.:;)]$/.test(lines);
    if (blanks === '') lines += words;
    else if (isBreak) {
      indented = blanks.length > 2;
      const emptyLine = blanks.length % 2 === 0 ? '\n' : '';
      const indent = ' '.repeat(blanks.length - 1 - emptyLine.length);
      lines += `\n${emptyLine}${indent}${words}`;
    } else lines += blanks + words;
    if (indented && lines.includes('. - ')) {
      lines = lines.replace('. - ', '.\n- ');
      indented = false;
    }
  }
  return lines;
}
