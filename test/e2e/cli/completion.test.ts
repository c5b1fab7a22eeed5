/** Completion in the real shells: what a TAB offers, in each of them. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withFolder } from '../../helpers/folder.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { run } from '../../helpers/process/process.ts'
import { homeIn } from '../../helpers/process/user.ts'

const isCi = process.env['CI'] === 'true'
const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** CI has them all: there a missing one is a failure. */
function missing(shell: Shell): string | false {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0
  return isThere || isCi ? false : `${shell} is not installed`
}

async function scriptOf(shell: Shell, folder: string, start = runInProcess): Promise<string> {
  const { code, stdout, stderr } = await start(['completion', shell], homeIn(folder))
  assert.deepEqual([code, stderr], [0, ''])
  const path = join(folder, 'script')
  writeFileSync(path, stdout)
  return path
}

function output(command: string, args: readonly string[], folder: string): string {
  const environment = { PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...homeIn(folder) }
  const { status, stdout, stderr } = spawnSync(command, args, {
    env: environment,
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(status, 0, `${stdout}${stderr}`)
  assert.equal(stderr, '')
  return stdout
}

/** What each line offers; the last word is the one that is being typed. */
const offers: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['fairway ver', ['verify']],
  ['fairway verify ', ['GB-NG', 'NG-GB']],
  ['fairway verify NG', ['NG-GB']],
  ['fairway verify GB-NG 1000 --curr', ['--currency']],
  ['fairway verify --currency ', ['GBP', 'NGN']],
  ['fairway verify --currency GBP ', ['GB-NG', 'NG-GB']],
  ['fairway verify --mode s', ['shadow']],
  ['fairway audit ver', ['verify', 'verify-log']],
  ['fairway audit verify evi', ['evidence.json']],
  ['fairway override SVC-1 --action ', ['EXECUTE', 'HOLD', 'REJECT']],
  ['fairway history --decision D', ['DEGRADED']],
  ['fairway completion ', ['bash', 'fish', 'zsh']],
  ['fairway keys ', ['issue', 'list', 'revoke', 'rotate']],
  ['fairway calib', ['calibration']],
  ['fairway calibration --suggestion evi', ['evidence.json']],
  ['fairway outcomes imp', ['import']],
  ['fairway outcomes import evi', ['evidence.json']],
  [
    'fairway policy ',
    ['list', 'show', 'create', 'check', 'backtest', 'candidate', 'report', 'promote', 'rollback'],
  ],
  ['fairway policy list --status c', ['candidate']],
  ['fairway reviews ', ['list', 'show', 'claim', 'release', 'comment', 'propose', 'approve', 'reject']],
  ['fairway reviews list --status e', ['expired']],
  ['fairway reviews propose rev_1 --action H', ['HOLD']],
  ['fairway policy backtest pol_1 --mode l', ['live']],
  ['fairway policy check evi', ['evidence.json']],
  ['fairway partitions ', ['attach', 'detach', 'drop', 'list']],
  ['fairway explain ', []],
  ['fairway hel', ['help']],
  ['fairway help ver', ['verify']],
]

test('bash offers commands, options, values and files', { skip: missing('bash') }, () =>
  withFolder(async (folder) => {
    const script = await scriptOf('bash', folder, run)
    writeFileSync(join(folder, 'evidence.json'), '{}')
    for (const [line, offered] of offers) {
      const ask = `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _fairway; printf '%s\\n' "\${COMPREPLY[@]}"`
      const found = output('bash', ['--norc', '-c', ask, 'bash', ...line.split(' ')], folder)
      const words = found.split('\n').filter((word) => word !== '')
      assert.deepEqual(new Set(words), new Set(offered), line)
    }
    // Were it a pattern, it would be taken for the file that it fits.
    writeFileSync(join(folder, 'a*'), '')
    writeFileSync(join(folder, 'a b'), '')
    const names = `source ${script}; cd ${folder}; COMP_WORDS=(fairway audit verify a); COMP_CWORD=3; _fairway; printf '%s\\n' "\${COMPREPLY[@]}"`
    assert.deepEqual(output('bash', ['--norc', '-c', names], folder).split('\n').toSorted(), [
      '',
      'a b',
      'a*',
    ])
  }),
)

test('fish offers the same, with what each is for', { skip: missing('fish') }, () =>
  withFolder(async (folder) => {
    const script = await scriptOf('fish', folder)
    writeFileSync(join(folder, 'evidence.json'), '{}')
    mkdirSync(join(folder, 'settings'), { recursive: true })
    for (const [line, offered] of offers) {
      const found = output('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], folder)
      const words = found.split('\n').filter((word) => word !== '' && !word.startsWith('script'))
      assert.deepEqual(new Set(words.map((word) => word.split('\t')[0])), new Set(offered), line)
    }
    const described = output(
      'fish',
      ['--no-config', '-c', `source ${script}; complete -C 'fairway heal'`],
      folder,
    )
    assert.match(described, /^health\tCheck whether the server/)
  }),
)

/** Types lines into one real zsh and presses TAB after each (the words that are waited for are parted where they are typed, and so echoed); a line that it completes is run and leaves its words in a file. */
const zshDriver = `
script=$1 folder=$2; shift 2
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "autoload -U compinit && compinit -u -D; source $script; fairway() { print -rl -- \\"\\$@\\" > $folder/words-\\$place }; PS1=; cd $folder; print REA''DY"
zpty -r shell seen '*READY*'
place=0
for line; do
  zpty -w shell "place=$place"
  zpty -w -n shell "$line"$'\\t'
  zpty -w shell " ; print DO''NE-$place"
  zpty -r shell seen "*DONE-$place*"
  (( place += 1 ))
done
zpty -d shell
`

test('zsh completes what there is one of', { skip: missing('zsh') }, () =>
  withFolder(async (folder) => {
    const script = await scriptOf('zsh', folder)
    writeFileSync(join(folder, 'evidence.json'), '{}')
    const single = offers.filter(([, words]) => words.length === 1)
    const lines = single.map(([line]) => line)
    output('zsh', ['-f', '-c', zshDriver, 'zsh', script, folder, ...lines], folder)
    for (const [place, [line, offered]] of single.entries()) {
      const words = readFileSync(join(folder, `words-${place}`), 'utf8')
        .trimEnd()
        .split('\n')
      assert.deepEqual(words, [...line.split(' ').slice(1, -1), offered[0]], line)
    }
  }),
)
