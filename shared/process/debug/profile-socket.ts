import { printProcessLine } from '#shared/observability/process-lines.ts';
import type { DebugPages } from '#shared/observability/profiles/debug-page.ts';
import { debugSocketOf, openDebugSocket } from './debug-socket.ts';

/**
 * Serves the profiles of this process to gateways of its data directory.
 * @param socket the process's own socket, in a folder that only this user can open
 */
export function openProfileSocket(socket: string, tellsDelays = false): void {
  let pages: DebugPages | undefined;
  const load = async (): Promise<DebugPages> => {
    const { profilePages } = await import('#shared/observability/profiles/profile-pages.ts');
    return (pages ??= profilePages({ tellsDelays }));
  };
  openDebugSocket(
    debugSocketOf(socket),
    async (request) => await (pages ?? (await load()))(request),
    (error) => printProcessLine(`there are no profiles of this process: ${error.message}`),
  );
}
