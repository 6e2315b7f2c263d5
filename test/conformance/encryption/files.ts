const key = (letter: string): string => Buffer.alloc(32, letter).toString('base64');

/** A provider with keys by their letters; the first one writes. */
function provider(kind: 'aescbc' | 'aesgcm' | 'secretbox', letters: string): string {
  const keys = [...letters].map((letter) => `{name: key-${letter}, secret: ${key(letter)}}`);
  return `{${kind}: {keys: [${keys.join(', ')}]}}`;
}

const entry = (resources: string, ...providers: readonly string[]): string =>
  `- resources: [${resources}]\n  providers: [${providers.join(', ')}]`;

/** An EncryptionConfiguration in which `letters` are the keys of each provider, or others those of ConfigMaps. */
export function fileWith(letters: string, ofConfigMaps = letters): string {
  const identity = '{identity: {}}';
  return `kind: EncryptionConfiguration
apiVersion: apiserver.config.k8s.io/v1
resources:
${entry('configmaps', provider('aescbc', ofConfigMaps), identity)}
${entry('podtemplates', provider('aesgcm', letters))}
${entry('secrets, pandas.awesome.bears.example', provider('secretbox', letters), identity)}
${entry('limitranges', identity, provider('aescbc', letters))}
${entry("'*.apps'", provider('aesgcm', letters), identity)}
${entry("'*.*'", provider('secretbox', letters), identity)}
`;
}
