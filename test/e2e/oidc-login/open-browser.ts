// A browser in which the person $LOGIN_AS logs in; each login is a line of the file $LOGINS.
import { appendFileSync, readFileSync } from 'node:fs';
import { request } from 'undici';
import { logIn } from '#test/oidc/browser.ts';

const [, , url = ''] = process.argv;
const person = process.env['LOGIN_AS'] ?? '';
const ca = readFileSync(process.env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8');
appendFileSync(process.env['LOGINS'] ?? '', `${person}\n`);
const { body } = await request(await logIn(url, person, ca));
await body.dump();
