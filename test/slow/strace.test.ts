/** How the words of `strace` are read: an answer that left too early must be seen. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsOf, orderOf } from '../../torture/crash/strace.ts'

const asked =
  '7 10.0 read(32<socket:[1]>, "POST /api/v1/verify HTTP/1.1\\r\\nhost"..., 65536) = 326 <0.000022>'
const written = '9 10.1 pwrite64(30</d/a.db-wal>, "\\r\\17"..., 4096, 234896) = 4096 <0.000009>'
const synced = '9 10.2 fsync(30</d/a.db-wal>) = 0 <0.005919>'
const answered =
  '7 10.3 write(32<socket:[1]>, "HTTP/1.1 200 OK\\r\\nx-request-id"..., 1710) = 1710 <0.000061>'

const isLog = (place: string): boolean => place.endsWith('.db-wal')
const violationsOf = (...lines: string[]): number =>
  orderOf(callsOf(lines.join('\n')), isLog).violations.length

test('an answer after the sync of its write is in order', () => {
  assert.equal(violationsOf(asked, written, synced, answered), 0)
  assert.equal(orderOf(callsOf([asked, written, synced, answered].join('\n')), isLog).answers, 1)
})

test('an answer before the sync, after one that failed, after that of another file, or without a write is not', () => {
  assert.equal(violationsOf(asked, written, answered, synced.replace('10.2', '10.4')), 1)
  assert.equal(
    violationsOf(asked, written, synced.replace('= 0', '= -1 EIO (Input/output error) (INJECTED)'), answered),
    1,
  )
  assert.equal(violationsOf(asked, written, synced.replace('a.db-wal', 'a.db'), answered), 1)
  assert.equal(violationsOf(asked, synced, answered), 1)
})

test('a sync that was under way while another thread answered is not in time', () => {
  const begun = '9 10.2 fsync(30</d/a.db-wal> <unfinished ...>'
  const ended = '<... fsync resumed>) = 0 <0.2>'
  assert.equal(violationsOf(asked, written, begun, `9 10.25 ${ended}`, answered), 0)
  assert.equal(violationsOf(asked, written, begun, answered, `9 10.4 ${ended}`), 1)
})
