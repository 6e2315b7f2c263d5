import { readFileSync } from 'node:fs';
import { request, type Agent, type RequestOptions } from 'node:https';

export interface KubeconfigAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends requests with the certificates of a kubeconfig that the launcher wrote. */
export class KubeconfigClient {
  readonly server: string;
  readonly credentials: RequestOptions;

  constructor(kubeconfig: string) {
    const text = readFileSync(kubeconfig, 'utf8');
    const member = (name: string): string => new RegExp(`^ *${name}: (.+)$`, 'm').exec(text)?.[1] ?? '';
    const data = (name: string): Buffer => Buffer.from(member(`${name}-data`), 'base64');
    this.server = member('server');
    this.credentials = {
      ca: data('certificate-authority'),
      cert: data('client-certificate'),
      key: data('client-key'),
    };
  }

  /** Without `agent` on a connection of its own. */
  send(method: string, path: string, more: { body?: object; agent?: Agent } = {}): Promise<KubeconfigAnswer> {
    const { body, agent = false } = more;
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      request(`${this.server}${path}`, { ...this.credentials, agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      })
        .on('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
