import { sendRaw } from '#test/robustness/hostile/raw-connection.ts';

const prefix = 'base64url.bearer.authorization.k8s.io.';
const path = '/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1';

/** What is answered to a browser that opens a watch with a token among its subprotocols: status and subprotocol. */
export async function askWebSockets(url: string, token: string): Promise<Map<string, string>> {
  const own = Buffer.from(token).toString('base64url');
  const padded = Buffer.from(token.padEnd(token.length + ((3 - (token.length % 3)) % 3 || 1), ' ')).toString('base64');
  const cases: Readonly<Record<string, readonly string[]>> = {
    'a token and a subprotocol': [`${prefix}${own}, v1.watch`],
    'the subprotocol first': [`v1.watch, ${prefix}${own}`],
    'in two headers': [`${prefix}${own}`, 'v1.watch'],
    'a token alone': [`${prefix}${own}`],
    'a token and an empty one': [`${prefix}${own},`],
    'two tokens': [`${prefix}${own}, ${prefix}${own}, v1`],
    'a token and two subprotocols': [`${prefix}${own}, v1, v2`],
    padding: [`${prefix}${own}=, v1`],
    'two of padding': [`${prefix}${own}==, v1`],
    'the other alphabet': [`${prefix}${padded}, v1`],
    'no UTF-8': [`${prefix}_w, v1`],
    'no base64': [`${prefix}*, v1`],
    'an empty token': [`${prefix}, v1`],
    'a wrong token': [`${prefix}${Buffer.from('wrong').toString('base64url')}, v1`],
    capitals: [`${prefix.toUpperCase()}${own}, v1`],
  };
  const found = new Map<string, string>();
  for (const [name, protocols] of Object.entries(cases)) found.set(name, await ask(url, protocols, 'Upgrade'));
  found.set('no Connection: Upgrade', await ask(url, [`${prefix}${own}, v1`], 'keep-alive'));
  return found;
}

async function ask(url: string, protocols: readonly string[], connection: string): Promise<string> {
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    `Connection: ${connection}`,
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    'Origin: https://localhost',
    ...protocols.map((protocol) => `Sec-WebSocket-Protocol: ${protocol}`),
  ];
  const { status, text } = await sendRaw(url, `${lines.join('\r\n')}\r\n\r\n`, 500);
  return `${status} ${/^sec-websocket-protocol: *(.*?)\r$/im.exec(text)?.[1] ?? 'no subprotocol'}`;
}
