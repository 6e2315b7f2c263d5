import type { LogLevels } from '#shared/observability/log-levels.ts';
import type { DebugPages, PageAnswer } from '#shared/observability/profiles/debug-page.ts';
import { profilePages, profilesPath } from '#shared/observability/profiles/profile-pages.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import { flagPages } from './debug-flags.ts';
import type { ServerOptions } from './options/server-options.ts';
import type { PathMux } from './path-mux.ts';

/** Bodies of these requests are a number. */
const maxBodyBytes = 1024;

/** Adds `/debug/pprof/` and `/debug/flags/` to the paths of a server. They are not listed at `/`. */
export function installProfilingPages(mux: PathMux, pages: DebugPages): void {
  const handler = servePages(pages);
  mux.handle('/debug/pprof', redirect, 'unlisted');
  mux.handlePrefix(profilesPath, handler, 'unlisted');
  mux.handle('/debug/flags', handler, 'unlisted');
  mux.handlePrefix('/debug/flags/', handler, 'unlisted');
}

/** The profiles of this process, and the level of its log. */
export function ownDebugPages(
  { contentionProfiling }: ServerOptions,
  levels: LogLevels,
  setLevelElsewhere?: (level: number) => Promise<void>,
): DebugPages {
  const profiles = profilePages({ tellsDelays: contentionProfiling });
  const flags = flagPages(levels, setLevelElsewhere);
  return async (request) => (await profiles(request)) ?? (await flags(request));
}

function servePages(pages: DebugPages): Handler {
  return async ({ exchange, info }) => {
    const gone = new AbortController();
    exchange.onClose(() => gone.abort());
    const answer = await pages({
      method: exchange.method,
      path: info.path,
      query: info.query,
      body: async () => (await exchange.readBody(maxBodyBytes)).toString(),
      signal: gone.signal,
    });
    const { status, headers, body } = answer ?? notFound;
    exchange.send(status, { ...headers }, body);
  };
}

const notFound: PageAnswer = { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' };

function redirect({ exchange }: RequestContext): void {
  const location = profilesPath;
  // Only GET and HEAD get a body with the redirect.
  if (exchange.method === 'GET' || exchange.method === 'HEAD')
    exchange.send(
      302,
      { location, 'content-type': 'text/html; charset=utf-8' },
      `<a href="${location}">Found</a>.\n\n`,
    );
  else exchange.send(302, { location }, '');
}
