import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { LogLevels } from '#shared/observability/log-levels.ts';
import type { DebugPages, DebugRequest, PageAnswer } from '#shared/observability/profiles/debug-page.ts';

const maxUint32 = 2 ** 32 - 1;
const maxInt32 = 2 ** 31 - 1;
const flagsPath = '/debug/flags';

/**
 * `PUT /debug/flags/v` changes the level of the log while the process runs, and of those behind it
 * (apiserver/pkg/server/routes/flags.go).
 */
export function flagPages(
  levels: LogLevels,
  setElsewhere: (level: number) => Promise<void> = () => Promise.resolve(),
): DebugPages {
  return async (request) => {
    if (request.path === `${flagsPath}/v`) return await setLevel(request, levels, setElsewhere);
    const isIndex = request.path === flagsPath || request.path.startsWith(`${flagsPath}/`);
    return isIndex ? { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page } : undefined;
  };
}

async function setLevel(
  request: DebugRequest,
  levels: LogLevels,
  setElsewhere: (level: number) => Promise<void>,
): Promise<PageAnswer> {
  if (request.method !== 'PUT') return plain(406, 'unsupported http method');
  const text = await request.body();
  const fault = faultOf(text);
  if (fault !== undefined) return plain(400, fault);
  levels.level = Number(text);
  await setElsewhere(levels.level);
  return plain(200, `successfully set klog.logging.verbosity to ${text}`);
}

function plain(status: number, body: string): PageAnswer {
  const headers = { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' };
  return { status, headers, body: `${body}\n` };
}

/** In the words of the reference, which reads the level twice: without a sign, and in 32 bits with one. */
function faultOf(text: string): string | undefined {
  if (!/^\d+$/.test(text)) return `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`;
  if (Number(text) > maxUint32) return `strconv.ParseUint: parsing ${goQuote(text)}: value out of range`;
  if (Number(text) > maxInt32)
    return `failed set klog.logging.verbosity ${text}: strconv.ParseInt: parsing ${goQuote(text)}: value out of range`;
  return undefined;
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
