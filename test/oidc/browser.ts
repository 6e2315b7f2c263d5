import { Agent, request } from 'undici';

/** Logs in at the identity provider as a person with a browser does: follows redirects, keeps cookies, sends forms. */
export async function logIn(authorizationUrl: string, account: string, ca: string): Promise<string> {
  const dispatcher = new Agent({ connect: { ca } });
  const cookies = new Map<string, string>();
  let next: { readonly url: string; readonly form?: string } = { url: authorizationUrl };
  try {
    for (let steps = 0; steps < 12; steps += 1) {
      const answer = await request(next.url, {
        dispatcher,
        method: next.form === undefined ? 'GET' : 'POST',
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(next.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body: next.form ?? null,
      });
      keepCookies(cookies, answer.headers['set-cookie']);
      const page = await answer.body.text();
      const { location } = answer.headers;
      if (typeof location === 'string') {
        const url = new URL(location, next.url).href;
        if (url.startsWith('http:')) return url;
        next = { url };
      } else next = filledForm(page, next.url, account);
    }
  } finally {
    await dispatcher.close();
  }
  throw new Error('the identity provider asks for more and more');
}

function keepCookies(cookies: Map<string, string>, set: string | readonly string[] | undefined): void {
  for (const cookie of [set ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** The page has a form for name and password, or one for consent. */
function filledForm(page: string, url: string, account: string): { readonly url: string; readonly form: string } {
  const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
  const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
  if (action === undefined || prompt === undefined) throw new Error(`${url} is no page to log in: ${page}`);
  const form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login: account, password: 'secret' } : {}) });
  return { url: new URL(action, url).href, form: form.toString() };
}
