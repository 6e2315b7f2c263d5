import { request } from 'node:https';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const timeoutMs = 20_000;

/**
 * Requests /healthz of a component on this machine, as ComponentStatuses have always done. The certificate of the
 * component is not verified.
 */
export function probeComponent(port: number): Promise<JsonObject> {
  const url = `https://127.0.0.1:${port}/healthz`;
  return new Promise((resolve) => {
    const asking = request(url, { rejectUnauthorized: false, timeout: timeoutMs, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text = (text + part).slice(0, 1024)));
      answer.on('end', () => resolve(answer.statusCode === 200 ? healthy(text) : unhealthy(text)));
    });
    asking.on('timeout', () => asking.destroy(new Error('i/o timeout')));
    asking.on('error', (error: NodeJS.ErrnoException) =>
      resolve(unhealthy(`Get ${JSON.stringify(url)}: ${reasonOf(error, port)}`)),
    );
    asking.end();
  });
}

function healthy(message: string): JsonObject {
  return { type: 'Healthy', status: 'True', message };
}

function unhealthy(message: string): JsonObject {
  return { type: 'Healthy', status: 'False', message };
}

function reasonOf(error: NodeJS.ErrnoException, port: number): string {
  const dial = `dial tcp 127.0.0.1:${port}`;
  return error.code === 'ECONNREFUSED' ? `${dial}: connect: connection refused` : `${dial}: ${error.message}`;
}
