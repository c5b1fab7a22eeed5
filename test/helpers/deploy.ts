/** The files of `deploy/`, parsed, so that tests can ask what they say. */

import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DockerfileParser, type Instruction, type ModifiableInstruction } from 'dockerfile-ast'
import { parseAllDocuments } from 'yaml'

const root = fileURLToPath(new URL('../../', import.meta.url))

// eslint-disable-next-line typescript/no-explicit-any -- tests look into manifests freely; the schemas check their shape
export type Manifest = any

export const readText = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

/** Strict: a key that is given twice, an unknown tag or a warning is a fault. */
export function readYaml(path: string): Manifest[] {
  const documents = parseAllDocuments(readText(path), { strict: true, uniqueKeys: true, merge: true })
  if (!Array.isArray(documents)) throw new Error(`${path} is empty`)
  return documents.map((document) => {
    const [fault] = [...document.errors, ...document.warnings]
    if (fault !== undefined) throw new Error(`${path}: ${fault.message}`)
    return document.toJS()
  })
}

const kubernetes = 'deploy/kubernetes'

export const manifestFiles: readonly string[] = readdirSync(`${root}${kubernetes}`)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => `${kubernetes}/${name}`)

export interface Kept {
  readonly path: string
  readonly manifest: Manifest
}

/** Every object of the cluster, the example of a secret too; not the kustomization, which is none. */
export const manifests: readonly Kept[] = manifestFiles
  .filter((path) => !path.endsWith('/kustomization.yaml'))
  .flatMap((path) => readYaml(path).map((manifest): Kept => ({ path, manifest })))

export function only(kind: string): Manifest {
  const found = manifests.filter(({ manifest }) => manifest.kind === kind)
  if (found.length !== 1) throw new Error(`there are ${found.length} of ${kind}`)
  return found[0]?.manifest
}

/** The one container of an instance. */
export const container = (): Manifest => only('Deployment').spec.template.spec.containers[0]

export interface Stage {
  /** `FROM … AS name`; null for the last, which is the image. */
  readonly name: string | null
  readonly image: string
  readonly instructions: readonly Instruction[]
}

export function stages(): Stage[] {
  const file = DockerfileParser.parse(readText('deploy/Dockerfile'))
  const found: { name: string | null; image: string; instructions: Instruction[] }[] = []
  for (const instruction of file.getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      const [image = '', , name = null] = argumentsOf(instruction)
      found.push({ name, image, instructions: [] })
    } else {
      found.at(-1)?.instructions.push(instruction)
    }
  }
  return found
}

export function argumentsOf(instruction: Instruction): string[] {
  return instruction.getArguments().map((argument) => argument.getValue())
}

/** `--name=value`, behind the keyword. */
export function flagsOf(instruction: Instruction): Readonly<Record<string, string>> {
  const { getFlags } = instruction as Partial<ModifiableInstruction>
  const flags = getFlags?.call(instruction) ?? []
  return Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? '']))
}

/** What follows the keyword and its flags, as it is written. */
export function restOf(instruction: Instruction): string {
  return instruction.getRawArgumentsContent() ?? ''
}

export function named(stage: Stage, keyword: string): Instruction[] {
  return stage.instructions.filter((instruction) => instruction.getKeyword() === keyword)
}

/** As Docker reads the list form; a shell form is none. */
export function listOf(text: string): string[] {
  const list: unknown = JSON.parse(text.slice(text.indexOf('[')))
  if (!Array.isArray(list)) throw new Error(`${text} is no list`)
  return list.map(String)
}
