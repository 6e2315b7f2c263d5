import { Socket } from 'node:net';

/**
 * Passes on what a socket receives. node:net gives each chunk to `push`, so that a reader who takes every chunk at once
 * can have it from there: the queue of the stream, its event, and the tick in which it asks for more cost a lone
 * request as much as reading its header fields. Chunks that the stream holds already go first. Streams of other kinds
 * read on only after their own `push`.
 */
export function takeChunks(socket: Socket, take: (chunk: Buffer) => void): void {
  socket.on('data', take);
  if (!(socket instanceof Socket)) return;
  const push = socket.push.bind(socket);
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null || socket.readableLength > 0 || socket.readableFlowing !== true) return push(chunk, encoding);
    take(chunk);
    return true;
  };
}
