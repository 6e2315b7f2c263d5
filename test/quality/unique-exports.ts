// An exported name means one thing: no two files of the product export the same one.
import type { Rule } from './rule.ts';

/** Each sub-command's entry, which the launcher finds by this name. */
const entryNames: ReadonlySet<string> = new Set(['main']);
const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/gm;

export const uniqueExports: Rule = {
  check({ sources }) {
    const exporters = new Map<string, Set<string>>();
    for (const { name: file, text } of sources) {
      if (file.startsWith('test/') || /\.test\.ts$|\/testing\/|\/testdata\//.test(file)) continue;
      for (const [, name = ''] of text.matchAll(declaration)) {
        if (entryNames.has(name)) continue;
        const known = exporters.get(name);
        if (known === undefined) exporters.set(name, new Set([file]));
        else known.add(file);
      }
    }
    const problems = [...exporters]
      .filter(([, files]) => files.size > 1)
      .map(([name, files]) => `${name} is exported by ${[...files].join(' and ')}: say what each is`);
    return { problems, summary: `${exporters.size} names` };
  },
};
