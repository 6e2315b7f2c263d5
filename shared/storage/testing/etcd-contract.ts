/**
 * Runs the storage contract against a real etcd, which is not part of `npm test`:
 *   ETCD_ENDPOINTS=http://127.0.0.1:2379 node --import tsx --test shared/storage/testing/etcd-contract.ts
 * The store may hold other data, but is compacted.
 */
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { storageContract } from './storage-contract.ts';

const endpoints = (process.env['ETCD_ENDPOINTS'] ?? '').split(',').filter((endpoint) => endpoint !== '');
if (endpoints.length === 0) throw new Error('ETCD_ENDPOINTS names no etcd');

storageContract('etcd', async () => createStorage({ endpoints, prefix: '/storage-contract' }));
