/** The Python client as a stranger gets it: by pip, in an empty environment, without a network, with types for mypy. */

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { python, pythonClient, runProgram } from '../helpers/process/python.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'fairway-test-'))
const environment = join(folder, 'venv')
const installed = join(environment, 'bin', 'python')
const env = {
  ...process.env,
  PIP_NO_INDEX: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PYTHONDONTWRITEBYTECODE: '1',
}

const run = (program: string, ...args: string[]): Promise<string> =>
  runProgram(program, args, { env, cwd: folder })

before(async () => {
  await run(python, '-m', 'venv', environment)
  await run(installed, '-m', 'pip', 'install', '--quiet', pythonClient)
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('pip install brings the package of this version with its types, its licence and nothing else', async () => {
  const packages = JSON.parse(await run(installed, '-m', 'pip', 'list', '--format', 'json')) as {
    name: string
  }[]
  const names = packages.map(({ name }) => name).filter((name) => !['pip', 'setuptools'].includes(name))
  assert.deepEqual(names, ['fairway'])
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const shown = await run(installed, '-c', 'import fairway; print(fairway.__version__, fairway.__file__)')
  assert.equal(shown.split(' ')[0], version)
  assert.ok(shown.includes(environment), 'it is the installed one')
  const files = await run(installed, '-m', 'pip', 'show', '--files', 'fairway')
  for (const file of ['fairway/py.typed', 'fairway/types.py', 'LICENSE'])
    assert.ok(files.includes(file), file)
})

test('it imports nothing but the standard library, and not its types until they are asked for', async () => {
  const code = `
import sys
before = set(sys.modules)
import fairway
names = {name.split(".")[0] for name in set(sys.modules) - before}
print(sorted(names - set(sys.stdlib_module_names)), "fairway.types" in sys.modules)`
  assert.equal(await run(installed, '-I', '-c', code), "['fairway'] False\n")
})

test('the same sources give the same bytes, and the source distribution the same wheel', async () => {
  const build = `
import sys
sys.path.insert(0, sys.argv[1])
import build_backend
print(build_backend.build_sdist(sys.argv[2]), build_backend.build_wheel(sys.argv[2]))`
  const [first, second, third] = ['one', 'two', 'three'].map((name) => join(folder, name))
  for (const made of [first, second, third])
    await run(python, '-c', 'import os, sys; os.mkdir(sys.argv[1])', made ?? '')
  const [sdist = '', wheel = ''] = (await run(python, '-c', build, pythonClient, first ?? ''))
    .trim()
    .split(' ')
  await run(python, '-c', build, pythonClient, second ?? '')
  for (const name of [sdist, wheel])
    assert.ok(readFileSync(join(first ?? '', name)).equals(readFileSync(join(second ?? '', name))), name)
  await run(installed, '-m', 'pip', 'wheel', '--quiet', '--wheel-dir', third ?? '', join(first ?? '', sdist))
  assert.ok(
    readFileSync(join(first ?? '', wheel)).equals(readFileSync(join(third ?? '', wheel))),
    'the wheel',
  )
})

test('mypy takes the package as strictly as it can, for the oldest Python that it is made for', async () => {
  const settings = ['--strict', '--python-version', '3.10', '--cache-dir', folder]
  const MYPYPATH = join(pythonClient, 'src')
  await runProgram('mypy', [...settings, '-p', 'fairway'], { env: { ...env, MYPYPATH }, cwd: folder })
})

test('mypy finds the mistakes of a caller: a hold read as a decision, a wrong amount, an unknown word', async () => {
  const caller = join(folder, 'caller.py')
  writeFileSync(caller, readFileSync(join(root, 'test/fixtures/python-caller.py')))
  await run('mypy', '--strict', '--cache-dir', folder, '--python-executable', installed, caller)
})

test('the scripts of the tests and the build are typed, too', async () => {
  const names = ['connections.py', 'event_loops.py', 'responses.py', 'arguments.py']
  const scripts = [...names.map((name) => `python/${name}`), 'behaviours/drivers/driver.py'].map((name) =>
    join(root, 'test/client', name),
  )
  for (const script of [...scripts, join(pythonClient, 'build_backend.py')])
    await run('mypy', '--strict', '--cache-dir', folder, '--python-executable', installed, script)
})
