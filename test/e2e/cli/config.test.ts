/** `fairway config`: every setting as the server would read it, and no secret. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SettingRow } from '../../../src/core/operate/settings.ts'
import { withFolder } from '../../helpers/folder.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { settingNames } from '../../helpers/settings.ts'

test('it prints each setting with its value, its source and its default, as JSON and as a table', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'captcha')
    writeFileSync(file, 'hunter2\n')
    const environment = {
      DATABASE_URL: 'postgres://fairway:hunter2@db.example:5432/fairway',
      FAIRWAY_RECAPTCHA_SECRET_FILE: file,
      FAIRWAY_SERVICE_HOST: '10.0.0.1',
    }
    const { code, stdout, stderr } = await runInProcess(['config', '--json'], environment)
    assert.deepEqual(
      [code, stderr],
      [0, 'fairway: ignored, because they are not settings: FAIRWAY_SERVICE_HOST\n'],
    )
    const { settings, ...rest } = JSON.parse(stdout) as { settings: SettingRow[] }
    assert.deepEqual(rest, {})
    const rowOf = (name: string): unknown => settings.find((row) => row.name === name)
    assert.deepEqual(rowOf('DATABASE_URL'), {
      name: 'DATABASE_URL',
      value: 'postgres://fairway:[secret]@db.example:5432/fairway',
      source: 'environment',
      default: 'sqlite:data/fairway.db',
    })
    assert.deepEqual(rowOf('FAIRWAY_RECAPTCHA_SECRET'), {
      name: 'FAIRWAY_RECAPTCHA_SECRET',
      value: '[secret]',
      source: 'file',
      default: null,
    })
    const names = new Set(settings.map(({ name }) => name))
    for (const name of settingNames()) assert.ok(names.has(name.replace(/(?<!KEY)_FILE$/, '')), name)

    const text = await runInProcess(['config', '--no-json'], environment)
    assert.match(text.stdout, /^Setting +Value +Source +Default\n/)
    assert.match(text.stdout, /\nFAIRWAY_COOLDOWN_S +90 +default +90\n/)
    assert.ok(!`${stdout}${text.stdout}`.includes('hunter2'))
  }))

test('a bad setting ends it, as it would end the start', async () => {
  const { code, stdout, stderr } = await runInProcess(['config'], { FAIRWAY_COOLDOWN: '5' })
  assert.deepEqual([code, stdout], [78, ''])
  assert.match(stderr, /^fairway: FAIRWAY_COOLDOWN is not a setting: correct it to FAIRWAY_COOLDOWN_S,/)
})
