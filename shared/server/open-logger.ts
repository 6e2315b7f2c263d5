import { parseQuantity } from '#shared/apimachinery/values/quantity-parse.ts';
import { quantityToNumber } from '#shared/apimachinery/values/quantity.ts';
import { LogLevels } from '#shared/observability/log-levels.ts';
import { openLogOutput } from '#shared/observability/log-output.ts';
import { createLogger, type LeveledLogger, type LogFormat } from '#shared/observability/logger.ts';
import type { ServerOptions } from './options/server-options.ts';

/** Opens the log of a process as its flags say: form, levels, streams and buffer. */
export function openLogger(options: ServerOptions): LeveledLogger {
  const format = options.loggingFormat as LogFormat;
  const isJson = format === 'json';
  return createLogger({
    levels: new LogLevels(options.v, options.vmodule),
    format,
    write: openLogOutput({
      splits: isJson ? options.logJsonSplitStream : options.logTextSplitStream,
      bufferBytes: quantityToNumber(
        parseQuantity(isJson ? options.logJsonInfoBufferSize : options.logTextInfoBufferSize),
      ),
      flushEveryMs: options.logFlushFrequency,
      toStdout: new Set(isJson ? ['info', 'warning'] : ['info']),
    }),
  });
}
