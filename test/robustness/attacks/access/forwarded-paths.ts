import { sendRaw } from '#test/robustness/hostile/raw-connection.ts';
import { adminToken } from '#test/tokens.ts';
import { echoRoot } from './path-rig.ts';
import { tellHttp2Text } from './told-rights.ts';

/** Spellings of paths and queries below a registered server. */
const spellings: readonly string[] = [
  '/things',
  '/%61llowed',
  '/%61llowed?b=2&a=1&b=1',
  '/a%2Fb',
  '/a%2fb/../c',
  '/a/%2e%2e/b',
  '/a/./b',
  '/a//b',
  '/a/',
  '/a/..',
  '/a%20b+c',
  `/a;b=c:d@e!f*g'h(i)j$k&l,m`,
  '/a[b]"<>\\^`{|}~',
  '/%C3%A9',
  '/%c3%a9%41',
  '/a%3Fb',
  '/a%23b#c',
  '/%25',
  '/%2561',
  '/x?a=%zz&b=1',
  '/x?a;b=1&c=2',
  '/x?a=b+c%20d&=&e&%c3%a9=~*!',
  '/x?',
  '/x?watch=1&a=1;watch=0',
  '/x?&&',
  '/x?%ff=%FE',
  '/namespaces/x/things/y/proxy/%2e%2e/',
  '/namespaces/%78/things/%79',
];
const whole: readonly string[] = [
  '/apis/%65cho.example/v1/x',
  '/apis%2Fecho.example%2Fv1%2Fx',
  '//apis/echo.example/v1/x',
  '/apis/echo.example//v1/x',
  '/apis/echo.example/v1%2fx',
  '/apis/echo.example/v1/',
  '/%61pis/echo.example/v1/x',
];

/** What the registered server received of each spelling: over HTTP/2, over HTTP/1.1, and as an upgrade. */
export async function forward(url: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const received: Record<string, readonly string[]> = {};
  for (const target of [...spellings.map((path) => echoRoot + path), ...whole]) {
    const plain = await sendRaw(url, head(target, 'Connection: close'));
    const upgrade = await sendRaw(url, head(target, 'Connection: Upgrade\r\nUpgrade: SPDY/3.1'));
    received[target] = [
      await tellHttp2Text(url, { method: 'GET', target, token: adminToken }),
      bodyOf(plain.text),
      bodyOf(upgrade.text),
    ];
  }
  return received;
}

function head(target: string, connection: string): Buffer {
  return Buffer.from(
    `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${adminToken}\r\n${connection}\r\n\r\n`,
    'latin1',
  );
}

function bodyOf(answer: string): string {
  return answer
    .slice(answer.indexOf('\r\n\r\n') + 4)
    .replace(/^[0-9a-f]+\r\n([^]*)\r\n0\r\n\r\n$/, '$1')
    .trim();
}
