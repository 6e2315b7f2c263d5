import { Agent, request, type Dispatcher } from 'undici';
import { largeDefinition, objectOf } from './large-definition.ts';
import type { Load, NamedWork } from './loop-load.ts';
import {
  configMap,
  custom,
  metadataList,
  metadataProtobuf,
  openApiMessage,
  pod,
  protobuf,
  table,
  yaml,
} from './loop-objects.ts';
import { brokenDefinition, ruleLoads } from './rule-loads.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const defaultNamespace = '/api/v1/namespaces/default';
const pods = `${defaultNamespace}/pods`;
const podCount = 20_000;
const largeCount = 20;
const watchList =
  'watch=1&timeoutSeconds=2&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const clients = 8;

/** V8 lists the keys of one map of 72,000 in one go, and copies what is young. */
const hugeMapMs = 25;

/**
 * Large work for every process, one kind after the other, from one client of the cluster. What is refused is refused
 * for its size.
 */
export class LoopLoads {
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false } });
  readonly #url: string;
  readonly #token: string;
  #refused: string | undefined;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** The first refusal since the last call of this. */
  takeRefusal(): string | undefined {
    const refused = this.#refused;
    this.#refused = undefined;
    return refused;
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  all(): readonly Load[] {
    const all: NamedWork[] = [
      ...this.#reads(),
      ...this.#largeReads(),
      ...this.#documents(),
      ...this.#definitions(),
      ...this.#largeObjects(),
      ...this.#rules(),
      ['all pods deleted', () => this.#call('DELETE', pods)],
    ];
    return all.map(([name, work, allowedMs]) => ({ name, work, ...(allowedMs === undefined ? {} : { allowedMs }) }));
  }

  #reads(): NamedWork[] {
    return [
      [
        `${podCount} pods made by ${clients} clients`,
        async () => {
          await this.#call('POST', `${defaultNamespace}/serviceaccounts`, {
            apiVersion: 'v1',
            kind: 'ServiceAccount',
            metadata: { name: 'default' },
          });
          await this.#several(podCount, (index) => this.#call('POST', pods, pod(index)));
        },
      ],
      [`GET by ${clients} clients`, () => this.#several(2000, (index) => this.#call('GET', `${pods}/pod-${index}`))],
      [`LIST of 500 by ${clients} clients`, () => this.#several(40, () => this.#call('GET', `${pods}?limit=500`))],
      [
        `Table of 500 by ${clients} clients`,
        () => this.#several(40, () => this.#call('GET', `${pods}?limit=500`, undefined, table)),
      ],
      ['LIST of all', () => this.#inTurn(5, () => this.#call('GET', pods))],
      [
        'LIST of all by selector',
        () =>
          this.#inTurn(5, () => this.#call('GET', `${pods}?labelSelector=app!=none&fieldSelector=spec.nodeName!=none`)),
      ],
      ['LIST of all as Table', () => this.#inTurn(5, () => this.#call('GET', pods, undefined, table))],
      ['LIST of all, metadata only', () => this.#inTurn(5, () => this.#call('GET', pods, undefined, metadataList))],
      ['LIST of all in protobuf', () => this.#inTurn(5, () => this.#call('GET', pods, undefined, protobuf))],
      ['LIST of all, indented', () => this.#call('GET', `${pods}?pretty=true`)],
      ['LIST of all as YAML', () => this.#call('GET', pods, undefined, yaml)],
      ['LIST of all, metadata only in protobuf', () => this.#call('GET', pods, undefined, metadataProtobuf)],
      ['LIST of all as Table with objects', () => this.#call('GET', `${pods}?includeObject=Object`, undefined, table)],
      ['a streaming list as Table', () => this.#watch(`${pods}?${watchList}`, table)],
      ['a streaming list in protobuf', () => this.#watch(`${pods}?${watchList}`, `${protobuf};stream=watch`)],
      [
        `${clients} watches that begin with all`,
        () => this.#several(clients, () => this.#watch(`${pods}?watch=1&timeoutSeconds=1&resourceVersion=0`)),
      ],
      [
        'a streaming list',
        () =>
          this.#watch(
            `${pods}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
          ),
      ],
    ];
  }

  /** Each representation of objects of 1 MB. */
  #largeReads(): NamedWork[] {
    const namespace = '/api/v1/namespaces/kube-public/configmaps';
    const forms: Record<string, string> = {
      JSON: 'application/json',
      YAML: yaml,
      protobuf,
      Table: table,
      'metadata only': metadataList,
      'metadata only in protobuf': metadataProtobuf,
    };
    return [
      [
        `${largeCount} ConfigMaps of 1 MB made`,
        () =>
          this.#inTurn(largeCount, (index) => this.#call('POST', namespace, configMap(`large-${index}`, 1_000_000))),
      ],
      ...Object.entries(forms).map(([name, accept]): NamedWork => [
        `LIST of them: ${name}`,
        () => this.#call('GET', namespace, undefined, accept),
      ]),
      ['LIST of them: indented', () => this.#call('GET', `${namespace}?pretty=true`)],
      ['GET of one: indented', () => this.#call('GET', `${namespace}/large-0?pretty=true`)],
      ['GET of one: YAML', () => this.#call('GET', `${namespace}/large-0`, undefined, yaml)],
      ['a streaming list of them', () => this.#watch(`${namespace}?${watchList}`)],
    ];
  }

  #documents(): NamedWork[] {
    return [
      [
        'discovery',
        () =>
          this.#call('GET', '/apis', undefined, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'),
      ],
      ['OpenAPI v2', () => this.#call('GET', '/openapi/v2')],
      ['OpenAPI v2 in protobuf', () => this.#call('GET', '/openapi/v2', undefined, openApiMessage)],
      [
        'OpenAPI v3, all documents',
        async () => {
          const { paths } = JSON.parse(await this.#text('/openapi/v3')) as {
            paths: Record<string, { serverRelativeURL: string }>;
          };
          for (const { serverRelativeURL } of Object.values(paths)) await this.#call('GET', serverRelativeURL);
        },
      ],
    ];
  }

  #definitions(): NamedWork[] {
    const made = (index: number, bytes: number): Promise<void> =>
      this.#call('POST', definitionsPath, largeDefinition(index, bytes));
    const all = Array.from({ length: 61 }, (_, index) => index);
    return [
      ['10 definitions of 100 KiB, one after the other', () => this.#inTurn(10, (index) => made(index, 100 * 1024))],
      [
        '50 definitions of 100 KiB at once',
        async () => {
          await Promise.all(all.slice(10, 60).map((index) => made(index, 100 * 1024)));
        },
      ],
      ['a definition of 1 MiB', () => made(60, 1024 * 1024)],
      [
        'it patched',
        () =>
          this.#call('PATCH', `${definitionsPath}/things60.g10.many.example.com`, { metadata: { labels: { a: 'b' } } }),
      ],
      ['definitions listed', () => this.#call('GET', definitionsPath)],
      [
        'first object of each',
        async () => {
          for (const index of all) await this.#call('POST', objectOf(index).path, objectOf(index).object);
        },
      ],
      [
        'their OpenAPI v3',
        async () => {
          for (const index of all)
            await this.#call('GET', `/openapi/v3/${objectOf(index).path.split('/').slice(1, 4).join('/')}`);
        },
      ],
      ['their OpenAPI v2', () => this.#call('GET', '/openapi/v2')],
      ['their OpenAPI v2 in protobuf', () => this.#call('GET', '/openapi/v2', undefined, openApiMessage)],
    ];
  }

  #largeObjects(): NamedWork[] {
    const configMaps = `${defaultNamespace}/configmaps`;
    const { path } = objectOf(0);
    return [
      ['a ConfigMap of 1 MB made', () => this.#call('POST', configMaps, configMap('large', 1_000_000))],
      ['it patched', () => this.#call('PATCH', `${configMaps}/large`, { data: { key0: 'y' } })],
      [
        'it applied',
        () =>
          this.#call(
            'PATCH',
            `${configMaps}/applied?fieldManager=loop&force=true`,
            configMap('applied', 1_000_000),
            undefined,
            'application/apply-patch+yaml',
          ),
      ],
      ['a custom resource of 60 KB made', () => this.#call('POST', path, custom('some', 60_000))],
      ['it patched', () => this.#call('PATCH', `${path}/some`, { spec: { mode: 'off' } })],
      ['a custom resource of 1.2 MB made', () => this.#call('POST', path, custom('large', 1_200_000))],
      ['it patched', () => this.#call('PATCH', `${path}/large`, { spec: { mode: 'off' } })],
      ['a ConfigMap of 3 MB refused', () => this.#call('POST', configMaps, configMap('huge', 3_000_000))],
      ['a custom resource of 3 MB refused', () => this.#call('POST', path, custom('huge', 2_900_000)), hugeMapMs],
    ];
  }

  /** Nothing is kept: the objects are larger than storage takes. */
  #rules(): NamedWork[] {
    return [
      [
        'rules: an expression of 90,000 characters that does not end, refused',
        () => this.#call('POST', definitionsPath, brokenDefinition()),
      ],
      ...ruleLoads().flatMap(({ name, definition, path, object }): NamedWork[] => [
        [`rules: ${name}, defined`, () => this.#call('POST', definitionsPath, definition)],
        [`rules: ${name}`, () => this.#call('POST', `${path}?dryRun=All`, object()), hugeMapMs],
      ]),
    ];
  }

  async #call(
    method: Dispatcher.HttpMethod,
    path: string,
    object?: unknown,
    accept = 'application/json',
    patchType = 'application/merge-patch+json',
  ): Promise<void> {
    const { statusCode, body } = await this.#request(method, path, object, accept, patchType);
    let start = '';
    for await (const chunk of body) if (statusCode >= 300) start += String(chunk);
    if (statusCode >= 300) this.#refused ??= `${method} ${path}: ${statusCode} ${start.slice(0, 200)}`;
  }

  async #text(path: string): Promise<string> {
    return (await this.#request('GET', path, undefined, 'application/json', '', 'identity')).body.text();
  }

  async #watch(path: string, accept = 'application/json'): Promise<void> {
    await (await this.#request('GET', path, undefined, accept, '')).body.dump({ limit: Number.MAX_SAFE_INTEGER });
  }

  #request(
    method: Dispatcher.HttpMethod,
    path: string,
    object: unknown,
    accept: string,
    patchType: string,
    encoding = 'gzip',
  ): Promise<Dispatcher.ResponseData> {
    return request(this.#url + path, {
      method,
      dispatcher: this.#agent,
      body: object === undefined ? null : JSON.stringify(object),
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept,
        'accept-encoding': encoding,
        ...(object === undefined ? {} : { 'content-type': method === 'PATCH' ? patchType : 'application/json' }),
      },
    });
  }

  async #inTurn(count: number, work: (index: number) => Promise<void>): Promise<void> {
    for (let index = 0; index < count; index++) await work(index);
  }

  async #several(count: number, work: (index: number) => Promise<void>): Promise<void> {
    let next = 0;
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (next < count) await work(next++);
      }),
    );
  }
}
