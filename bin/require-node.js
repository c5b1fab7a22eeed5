/** Ends with one clear line where Node.js is too old to run TypeScript as it is. */

export const nodeMajorMin = 24

export function nodeIsNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= nodeMajorMin
}

export function complainAboutNode() {
  process.stderr.write(
    `fairway: Node.js ${nodeMajorMin} or later is needed and this is ${process.versions.node}. On Linux and Windows "npm ci" brings its own; elsewhere please install it.\n`,
  )
}

if (process.argv[1] === import.meta.filename && !nodeIsNewEnough()) {
  complainAboutNode()
  process.exit(1)
}
