/** `fairway assess` and the odd files of a real system: pipes, full disks, folders in the way, its own output as input. */

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, openSync, readdirSync, readFileSync, watch, writeFileSync, closeSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { withFolder } from '../../helpers/folder.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { finished, start } from '../../helpers/process/process.ts'

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const skip = process.platform === 'win32' ? 'there are no such files on Windows' : false

test('Ctrl-C ends a command that waits for a pipe which nobody writes to', { skip }, async () => {
  await withFolder(async (folder) => {
    execFileSync('mkfifo', [join(folder, 'pipe')])
    // Tells when it begins to listen for the signal, just before it opens the pipe and waits.
    const tell = "process.on('newListener', (name) => name === 'SIGINT' && process.stderr.write('ready'))"
    const environment = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(tell)}"` }
    const child = start(['assess', 'pipe', '--out', 'out'], environment, { cwd: folder })
    const ended = finished(child)
    await once(child.stderr ?? child, 'data')
    child.kill('SIGINT')
    const { signal, stderr } = await ended
    assert.equal(signal, 'SIGINT')
    assert.equal(stderr, 'readyfairway: stopped: nothing was written\n')
    assert.deepEqual(readdirSync(folder), ['pipe'])
  })
})

test('Ctrl-C ends a command whose pipe has gone silent', { skip }, async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    const watcher = watch(folder)
    const made = once(watcher, 'change')
    const child = start(['assess', 'pipe', '--out', 'out'], {}, { cwd: folder })
    const ended = finished(child)
    // Stays open, and does not wait for the reader.
    const writer = openSync(path, 'r+')
    writeFileSync(writer, 'corridor\nGB-NG\n')
    await made
    watcher.close()
    child.kill('SIGINT')
    const { signal, stderr } = await ended
    closeSync(writer)
    assert.equal(signal, 'SIGINT')
    assert.equal(stderr, 'fairway: stopped: nothing was written\n')
    assert.deepEqual(readdirSync(folder), ['pipe'])
  })
})

test('a pipe given by a path is read like any file', { skip }, async () => {
  await withFolder(async (folder) => {
    const command = `printf 'corridor\\nGB-NG\\n' | ${process.execPath} ${main} assess /dev/stdin --out out --json`
    const { code, stdout, stderr } = await finished(spawn('sh', ['-c', command], { cwd: folder }))
    assert.equal(code, 0, stderr)
    assert.equal(JSON.parse(stdout).summary.total_assessed, 1)
  })
})

test('a disk that takes no more is told in one line, and nothing is left behind', { skip }, async () => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, 'many.csv'), `corridor,id\n${'GB-NG,payment\n'.repeat(60_000)}`)
    const command = `ulimit -f 1000; exec ${process.execPath} ${main} assess many.csv --out out`
    const { code, stderr } = await finished(spawn('sh', ['-c', command], { cwd: folder }))
    assert.equal(code, 1)
    assert.equal(stderr, 'fairway: cannot write to out: the file would exceed the size limit\n')
    assert.deepEqual(readdirSync(folder), ['many.csv'])
  })
})

/** Root may do all, unless its right to pass over permissions is taken away. */
const unprivileged =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : []

test('what may not be read or written is told as such', { skip }, async () => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, 'secret.csv'), 'corridor\nGB-NG\n', { mode: 0o000 })
    writeFileSync(join(folder, 'open.csv'), 'corridor\nGB-NG\n')
    mkdirSync(join(folder, 'closed'), { mode: 0o555 })
    const assess = (...args: string[]) => {
      const [program = '', ...rest] = [...unprivileged, process.execPath, main, 'assess', ...args]
      return finished(spawn(program, rest, { cwd: folder }))
    }
    const read = await assess('secret.csv', '--out', 'o')
    assert.equal(read.stderr, 'fairway: cannot read secret.csv: permission denied\n')
    assert.equal(read.code, 1)
    const write = await assess('open.csv', '--out', 'closed')
    assert.equal(write.stderr, 'fairway: cannot write to closed: permission denied\n')
    assert.equal(write.code, 1)
  })
})

test('a folder that stands where a report should be is refused before anything is done', async () => {
  await withFolder(async (folder) => {
    mkdirSync(join(folder, 'out', 'summary.json'), { recursive: true })
    writeFileSync(join(folder, 'out', 'report.html'), 'earlier')
    const { code, stderr } = await runInProcess(
      ['assess', '-', '--out', 'out'],
      {},
      { cwd: folder, input: 'corridor\nGB-NG\n' },
    )
    assert.equal(code, 1)
    assert.equal(stderr, 'fairway: cannot write to out: summary.json in it is a folder\n')
    assert.equal(readFileSync(join(folder, 'out', 'report.html'), 'utf8'), 'earlier')
    assert.deepEqual(readdirSync(join(folder, 'out')).toSorted(), ['report.html', 'summary.json'])
  })
})

test('its own rejected rows, read from standard input, are not overwritten', { skip }, async () => {
  await withFolder(async (folder) => {
    const rejected = join(folder, 'out', 'rejected.csv')
    await runInProcess(
      ['assess', '-', '--out', 'out'],
      {},
      { cwd: folder, input: 'corridor\nGB-NG\nnowhere\n' },
    )
    const before = readFileSync(rejected, 'utf8')
    const command = `exec ${process.execPath} ${main} assess - --out out < out/rejected.csv`
    const { code, stderr } = await finished(spawn('sh', ['-c', command], { cwd: folder }))
    assert.equal(code, 1)
    assert.match(stderr, /^fairway: cannot write to out: it would overwrite the input rejected\.csv\n$/)
    assert.equal(readFileSync(rejected, 'utf8'), before)
  })
})

test(
  'an answer that cannot be written is one line, not a stack',
  { skip: process.platform !== 'linux' },
  async () => {
    await withFolder(async (folder) => {
      writeFileSync(join(folder, 'one.csv'), 'corridor\nGB-NG\n')
      const command = `exec ${process.execPath} ${main} assess one.csv --json > /dev/full`
      const { code, stderr } = await finished(spawn('sh', ['-c', command], { cwd: folder }))
      assert.equal(code, 1)
      assert.match(stderr, /^fairway: cannot write the output: [^\n]+\n$/)
    })
  },
)
