import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { LogLevels } from '#shared/observability/log-levels.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import type { PathMux } from './path-mux.ts';

/** More than any level has. */
const maxBytes = 1024;
const maxUint32 = 2 ** 32 - 1;
const maxInt32 = 2 ** 31 - 1;
const plain = { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' };

/**
 * `PUT /debug/flags/v` changes the level of the log while the process runs, and of those behind it
 * (apiserver/pkg/server/routes/flags.go).
 */
export function installFlagPages(
  mux: PathMux,
  levels: LogLevels,
  setElsewhere: (level: number) => Promise<void> = () => Promise.resolve(),
): void {
  mux.handle('/debug/flags', sendIndex, 'unlisted');
  mux.handlePrefix('/debug/flags/', sendIndex, 'unlisted');
  mux.handle('/debug/flags/v', levelHandler(levels, setElsewhere), 'unlisted');
}

function levelHandler(levels: LogLevels, setElsewhere: (level: number) => Promise<void>): Handler {
  return async ({ exchange }) => {
    if (exchange.method !== 'PUT') return exchange.send(406, plain, 'unsupported http method');
    const text = (await exchange.readBody(maxBytes)).toString();
    const fault = faultOf(text);
    if (fault !== undefined) return exchange.send(400, plain, fault);
    levels.level = Number(text);
    await setElsewhere(levels.level);
    exchange.send(200, plain, `successfully set klog.logging.verbosity to ${text}`);
  };
}

/** In the words of the reference, which reads the level twice: without a sign, and in 32 bits with one. */
function faultOf(text: string): string | undefined {
  if (!/^\d+$/.test(text)) return `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`;
  if (Number(text) > maxUint32) return `strconv.ParseUint: parsing ${goQuote(text)}: value out of range`;
  if (Number(text) > maxInt32)
    return `failed set klog.logging.verbosity ${text}: strconv.ParseInt: parsing ${goQuote(text)}: value out of range`;
  return undefined;
}

function sendIndex({ exchange }: RequestContext): void {
  exchange.send(200, { 'content-type': 'text/html; charset=utf-8' }, page);
}

const page = `<html>
<head>
<title>/debug/flags/</title>
</head>
<body>
/debug/flags/<br>
<br>
flags:<br>
<table>
<tr>v<br>
</table>
<br>
full flags configurable<br>
</body>
</html>
`;
