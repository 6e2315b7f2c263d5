import { goYamlLine } from './line.ts';

/** A blank line or a comment. */
const blank = /^\s*(?:#.*)?$/;

/**
 * go-yaml's error about the directives or the beginning of a document, where our reader accepts more or words the error
 * differently; undefined where there is none. Lines are counted from 0.
 */
export function prologueFault(source: string): string | undefined {
  let hasVersion = false;
  let hasDirectives = false;
  let index = -1;
  for (const [line] of source.matchAll(/^.*$/gm)) {
    index += 1;
    if (blank.test(line)) continue;
    if (!line.startsWith('%')) {
      if (hasDirectives)
        return /^---(?:\s|$)/.test(line) ? undefined : goYamlLine(index, 'did not find expected <document start>');
      return /^\.\.\.(?:\s|$)/.test(line) ? goYamlLine(index, 'did not find expected node content') : undefined;
    }
    const fault = directiveFault(line);
    // The scanner, which checks the syntax, counts lines from 1; the parser, which checks the version, from 0.
    if (fault !== undefined) return goYamlLine(index === 0 ? 0 : index + 1, fault);
    if (/^%YAML\s/.test(line)) {
      if (hasVersion) return goYamlLine(index, 'found duplicate %YAML directive');
      if (!/^%YAML[ \t]+0*1\.0*1(?:\s|$)/.test(line)) return goYamlLine(index, 'found incompatible YAML document');
      hasVersion = true;
    }
    hasDirectives = true;
  }
  return undefined;
}

function directiveFault(line: string): string | undefined {
  const name = /^%([\w-]*)/.exec(line)?.[1] ?? '';
  if (name === '') return 'could not find expected directive name';
  const rest = line.slice(name.length + 1);
  if (/^\S/.test(rest)) return 'found unexpected non-alphabetical character';
  if (name === 'YAML') return versionFault(rest.trimStart());
  if (name === 'TAG') return tagFault(rest.trimStart());
  return 'found unknown directive name';
}

function versionFault(text: string): string | undefined {
  if (!/^\d/.test(text)) return 'did not find expected version number';
  if (!/^\d+\./.test(text)) return "did not find expected digit or '.' character";
  if (!/^\d+\.\d/.test(text)) return 'did not find expected version number';
  return restFault(text.replace(/^\d+\.\d+/, ''));
}

function tagFault(text: string): string | undefined {
  if (!text.startsWith('!')) return "did not find expected '!'";
  const handle = /^!(?:[\w-]*!)?/.exec(text)?.[0] ?? '!';
  if (handle === '!' && /^![\w-]/.test(text)) return "did not find expected '!'";
  const rest = text.slice(handle.length);
  if (!/^[ \t]/.test(rest)) return 'did not find expected whitespace';
  return /^[ \t]+\S/.test(rest) ? undefined : 'did not find expected tag URI';
}

function restFault(text: string): string | undefined {
  return /^[ \t]*(?:#.*)?$/.test(text) ? undefined : 'did not find expected comment or line break';
}

/**
 * The source up to the end of its first document, after which go-yaml reads nothing: up to a line that begins with
 * `...`, or with the `---` or a directive of a second document.
 */
export function firstDocumentText(source: string): string {
  const begin = source.search(/^(?!%|[ \t]*(?:#.*)?$)/m);
  if (begin < 0) return source;
  const end = /^(?:---|\.\.\.|%(?:YAML|TAG))(?=[ \t\r\n]|$)/gm;
  end.lastIndex = begin + 1;
  const found = end.exec(source);
  return found === null ? source : `${source.slice(0, found.index)}...`;
}
