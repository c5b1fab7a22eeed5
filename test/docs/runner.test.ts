/** The runner of the documents is not blind: what does not do as it says is told, with its place. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { OpenDocument } from '../helpers/docs/document.ts'
import { anchorsOf, BadDocument, blocksOf, linksOf } from '../helpers/docs/markdown.ts'
import { agrees, filled, withPorts } from '../helpers/docs/values.ts'
import { withFolder } from '../helpers/folder.ts'

const fenced = (info: string, ...lines: string[]): string => ['```' + info, ...lines, '```', ''].join('\n')

/** A page that starts no server of its own, and whose first block says so, is not given one. */
const noServer = fenced('sh', 'echo npm start')

/** Runs a made-up document to its first fault; null where it has none. */
async function faultOf(...parts: string[]): Promise<string | null> {
  const document = await OpenDocument.open('page.md', [noServer, ...parts].join('\n'))
  for (const block of document.blocks) {
    try {
      await document.step(block)
    } catch (error) {
      // What ended too early is told by its step already.
      await document.close().catch(() => null)
      return `${block.path}:${block.line} ${(error as Error).message}`
    }
  }
  await document.close()
  return null
}

test('a block that fails fails, with its place and what it said', async () => {
  assert.match(
    (await faultOf(fenced('sh', 'echo before', 'false', 'echo after'))) ?? '',
    /^page\.md:5 it ended with 1 and said:\nbefore\n\n/,
  )
  assert.match((await faultOf(fenced('sh', 'echo "$nowhere"'))) ?? '', /unbound variable/)
  assert.match((await faultOf(fenced('sh', 'false | cat'))) ?? '', /ended with 1/)
})

test('an example that is meant to fail fails with that code and no other', async () => {
  assert.equal(await faultOf(fenced('sh fails=3', 'exit 3')), null)
  assert.match((await faultOf(fenced('sh fails=3', 'exit 4'))) ?? '', /ended with 4/)
  assert.match((await faultOf(fenced('sh fails=3', 'true'))) ?? '', /ended with 0/)
})

test('what is exported holds in the next block, and does not reach another terminal', async () => {
  const exported = fenced('sh', 'export COLOUR=green')
  assert.equal(await faultOf(exported, fenced('sh', 'test "$COLOUR" = green')), null)
  const other = fenced(
    'sh background',
    'echo "Listening at http://127.0.0.1:9000 ${COLOUR-}"',
    'exec sleep 600',
  )
  assert.equal(
    await faultOf(exported, other, fenced('text output', 'Listening at http://127.0.0.1:9000')),
    null,
  )
})

test('a placeholder is what was printed last, and one that nothing printed fails', async () => {
  const id = (letter: string): string => `SVC-2026-${letter.repeat(26)}`
  const printed = fenced('sh', `echo ${id('A')} ${id('B')}`)
  assert.equal(await faultOf(printed, fenced('sh', `test SVC-2026-… = ${id('B')}`)), null)
  assert.match((await faultOf(fenced('sh', 'echo SVC-2026-…'))) ?? '', /^page\.md:5 nothing printed/)
  assert.throws(() => filled('echo abc-…', ''), /abc-… is no placeholder/)
})

test('an output that is not what was printed fails', async () => {
  const printed = fenced('sh', `echo '{"decision":"GO","score":0.96}'`)
  assert.equal(await faultOf(printed, fenced('json output', '{ "decision": "GO", … }')), null)
  const wrong = await faultOf(printed, fenced('json output', '{ "decision": "NO-GO", … }'))
  assert.match(wrong ?? '', /^page\.md:9 .*and this was printed/s)
  assert.match((await faultOf(fenced('console', '$ echo one', 'two'))) ?? '', /and this was printed/)
  assert.equal(await faultOf(fenced('console', '$ echo one', 'one')), null)
})

test('a program of wrong types fails at its line, and so does one that throws', async () => {
  const wrong = await faultOf(fenced('ts', "import { allows } from '@fairway/client'", '', 'allows(7)'))
  assert.match(wrong ?? '', /^page\.md:5 .*line 8: error TS/s)
  assert.match((await faultOf(fenced('ts', "throw new Error('no')"))) ?? '', /^page\.md:5 it ended with 1/)
  const ended = await faultOf(fenced('ts', 'process.exit(0)'), 'Then:', fenced('ts', 'console.log(1)'))
  assert.match(ended ?? '', /^page\.md:10 the program ended before/)
})

test('neighbouring programs are one, and each has its own output', async () => {
  const first = fenced(
    'ts',
    "import { allows } from '@fairway/client'",
    "const decision = 'GO'",
    'console.log(1)',
  )
  const second = fenced('ts', 'console.log(allows(decision))')
  assert.equal(
    await faultOf(
      first,
      fenced('text output', '1'),
      second,
      fenced('text output', 'true'),
      fenced('sh', 'true'),
    ),
    null,
  )
  assert.match((await faultOf(first, fenced('ts alone', 'console.log(decision)'))) ?? '', /Cannot find name/)
})

test('what is to keep running and ends by itself fails, before it is up and after', async () => {
  const early = await faultOf(fenced('sh background', 'echo nothing', 'exit 7'))
  assert.match(early ?? '', /^page\.md:5 .*ended by itself with 7; it said:\nnothing/s)
  const dying = fenced(
    'sh background',
    'echo $$ > pid',
    'echo "Listening at http://127.0.0.1:9000"',
    'exec sleep 600',
  )
  // Until its parent, which is the runner, has taken note of its end.
  const killing = fenced('sh', 'kill $(cat pid)', 'while kill -0 $(cat pid) 2>/dev/null; do :; done')
  assert.match((await faultOf(dying, killing)) ?? '', /^page\.md:11 .*ended by itself with SIGTERM/)
})

test('what is to keep running must still run when the document ends', async () => {
  await withFolder(async (folder) => {
    const running = fenced(
      'sh background',
      `echo $$ > ${folder}/pid`,
      'echo "Listening at http://127.0.0.1:9000"',
      'exec sleep 600',
    )
    const document = await OpenDocument.open('page.md', noServer + running)
    for (const block of document.blocks) await document.step(block)
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    process.kill(pid, 'SIGKILL')
    while (isThere(pid)) await setImmediate()
    await assert.rejects(document.close(), /^Error: page\.md:4 ended by itself with SIGKILL/)
  })
})

/** False once its parent has taken note of its end. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('what keeps running is waited for until it prints what is shown', async () => {
  const echoing = fenced(
    'sh background',
    'mkfifo pipe',
    'echo "Listening at http://127.0.0.1:9000"',
    'while true; do cat pipe; done',
  )
  const told = fenced('sh', 'echo heard > pipe')
  const shown = fenced('text output background', 'Listening at http://127.0.0.1:9000', 'heard')
  assert.equal(await faultOf(echoing, told, shown), null)
})

test('a server is stopped before what asks for that', async () => {
  const serving = fenced(
    'sh background',
    'trap "echo bye > bye; exit 0" TERM',
    'echo "server: listening at http://127.0.0.1:8080"',
    'sleep 600 & wait',
  )
  assert.equal(await faultOf(serving, fenced('sh after-stop', 'cat bye')), null)
  assert.match((await faultOf(serving, fenced('sh', 'cat bye'))) ?? '', /No such file/)
})

test('only what would run the suite or change what is installed is answered in its place', async () => {
  assert.equal(await faultOf(fenced('sh', 'npm ci && npm link && npm test'), fenced('text output', '')), null)
  assert.match((await faultOf(fenced('sh', 'npm run -s nowhere'))) ?? '', /ended with 1/)
})

test('npm changes nothing in the checkout, and does as told in a folder of the reader', async () => {
  const refused = async (...lines: string[]): Promise<void> =>
    assert.match(
      (await faultOf(fenced('sh', ...lines))) ?? '',
      /ended with 1 and said:\nnpm .*no document may/,
    )
  await refused('npm i')
  await refused('npm install ./fairway-client-1.0.0.tgz')
  await refused('npm run generate')
  await refused('cd src', 'npm i')
  await refused('cd -P src', 'npm install')
  await refused('mkdir ../own', 'cd ../own', 'npm --prefix ../fairway install')
  assert.equal(await faultOf(fenced('sh', 'mkdir ../own', 'cd ../own', 'npm init -y')), null)
})

test('the folder that a reader went to holds in the next block, and a program is saved there', async () => {
  const going = fenced('sh', 'mkdir ../own', 'cd ../own')
  const saved = fenced('js file=hello.js', "console.log('hello')")
  const run = fenced('sh', 'cat ../own/hello.js > copy', 'node hello.js')
  assert.equal(await faultOf(going, saved, run, fenced('text output', 'hello')), null)
  assert.match((await faultOf(fenced('ts file=no.ts', 'const no: string = 7'))) ?? '', /line 6: error TS/)
})

test('an HTTP error fails, unless it is what the example is about', async () => {
  const server = createServer((_request, response) => response.writeHead(409).end('taken'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // The runner would put a free port in the place of one that stands behind the address.
  const known = fenced('sh', `export port=${port}`)
  const asking = 'curl -s "http://127.0.0.1:$port/"'
  assert.match((await faultOf(known, fenced('sh', asking))) ?? '', /ended with 22/)
  assert.equal(await faultOf(known, fenced('sh fails=22', asking), fenced('text output', 'taken')), null)
  server.close()
})

const refused = (...parts: string[]): void =>
  assert.throws(() => blocksOf('page.md', ['# Page', '', ...parts].join('\n')), BadDocument)

test('a fence without a language, with an unknown one or with unknown words is refused', () => {
  refused(fenced('', 'ls'))
  refused(fenced('zsh', 'ls'))
  refused(fenced('sh backgroud', 'npm start'))
  refused(fenced('sh fails=1 fails=2', 'ls'))
  refused(fenced('sh file=x.ts', 'ls'))
  refused(fenced('ts file=../x.ts', 'ls'))
  refused(fenced('sh output', 'ls'))
  refused(fenced('json background', '{}'))
  refused('```sh', 'never closed')
  const [block] = blocksOf('page.md', fenced('  sh', 'ls').replaceAll(/^/gm, '  '))
  assert.deepEqual([block?.kind, block?.line, block?.text], ['shell', 1, 'ls\n'])
})

test('code that a page shows and nobody would run is refused', () => {
  const block = fenced('sh', 'ls')
  refused(block.replaceAll(/^/gm, '> '))
  refused(block.replaceAll(/^/gm, '\t'))
  refused(block.replaceAll(/^/gm, '    '))
  refused(block.replaceAll('\n', '\r\n'))
  refused('<pre><code>ls</code></pre>')
  refused('Type this:', '', '    npm start')
  refused('Type this:', '', '\tnpm start')
  refused('- An item', '', 'Not of the list.', '', '    npm start')
  refused('- An item', '', '      npm start')
  refused('```text', 'forgotten', block)
  refused(fenced('text', 'a', '````'))
  refused('Type ```npm start```.')
})

test('what only looks like it is taken', () => {
  const taken = (...lines: string[]): number => blocksOf('page.md', lines.join('\n')).length
  assert.equal(taken('A line', '    that goes on.', '', '- An item', '  that goes on', '', '  and on.'), 0)
  assert.equal(
    taken('1. An item', '', '   - another', '', '     and its text', '', 'The end, with `<pre>`.'),
    0,
  )
  assert.equal(taken('1. An item', '', fenced('sh', 'ls').replaceAll(/^(?=.)/gm, '   '), '2. Another'), 1)
  assert.equal(taken(fenced('`markdown', '```sh', 'ls', '```').replace(/```\n$/, '````\n')), 1)
})

test('a block in which a command could fail unseen is refused', () => {
  refused(fenced('sh', 'fairway verify GB-NG 1000 && echo pay', 'fairway history'))
  refused(fenced('sh', 'code=0', 'false || code=$?', 'echo $code'))
  refused(fenced('console', '$ true && false', '$ true'))
  refused(fenced('sh fails=22', 'curl -s http://127.0.0.1:9100/set', 'curl -s http://127.0.0.1:8080/'))
  refused(fenced('sh', 'false || echo "it failed"'))
  const taken = [
    fenced('sh', 'npm ci && npm start'),
    fenced(
      'sh',
      'curl -s \\',
      '  -d "a && b" # c || d',
      'for one in a b; do',
      '  test $one || exit 1',
      'done',
      'ls',
    ),
    fenced('sh', 'if true && false; then code=0; else code=$?; fi', 'case $code in', '  0) ls ;;', 'esac'),
    fenced('sh', 'false || echo "it failed"') + fenced('text output', 'it failed'),
    fenced('sh fails=1', 'true |', '  false'),
  ]
  assert.equal(blocksOf('page.md', taken.join('\n')).length, 6)
})

test('outputs are compared without spaces, ids and times; an ellipsis stands for anything', () => {
  assert.ok(agrees('text', 'a   b\n…\nlast', 'a b\nx\ny\nlast\n'))
  assert.ok(!agrees('text', 'a', 'a\nb'))
  assert.ok(agrees('json', '{"at": "2026-11-15T08:53:41.254Z"}', '{"at":"2027-01-01T00:00:00Z"}'))
  assert.ok(agrees('text', 'pk_test_…', `pk_test_${'a'.repeat(38)}`))
  assert.ok(!agrees('json', '{"score":0.9}', '{"score":0x9}'))
  assert.ok(!agrees('json', '{"message":"Held here."}', '{"message":"He ldhere."}'))
  assert.ok(agrees('json', '{ "message": "a \\" b", "more": 1 }', '{"message":"a \\" b","more":1}'))
  assert.ok(!agrees('text', 'ask again in 120 s', 'ask again in 5 s'))
  assert.ok(agrees('text', 'took … ms', 'took 31.5 ms'))
})

test('ports are replaced behind a host or where they are named, and amounts are not', () => {
  const ports = new Map([[8080, 40123]])
  const text = '127.0.0.1:8080/ localhost:8080 PORT=8080 --port 8080 port: 8080'
  assert.equal(withPorts(text, ports), text.replaceAll('8080', '40123'))
  const amounts = '127.0.0.1:80801 {"amount":8080} 8080 GB-NG 8080.08'
  assert.equal(withPorts(amounts, ports), amounts)
})

test('a page of JavaScript alone is run, and read before', async () => {
  assert.equal(await faultOf(fenced('js', 'console.log(1)'), fenced('text output', '1')), null)
  assert.match((await faultOf(fenced('js', 'const = 1'))) ?? '', /error TS/)
})

test('headings become the anchors that links point to', () => {
  assert.deepEqual(
    [...anchorsOf('# One `two`\n## What? A-B\n## What? A-B\n')],
    ['one-two', 'what-a-b', 'what-a-b-1'],
  )
  assert.deepEqual(linksOf('[a](b.md#c) `[d](e)` [f](https://example.com)'), ['b.md#c'])
})
