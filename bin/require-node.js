/** Fails with one line if Node.js is too old to run TypeScript directly. */

export const nodeMajorMin = 24

export function nodeIsNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= nodeMajorMin
}

export function reportOldNode() {
  process.stderr.write(
    `fairway: Node.js ${nodeMajorMin} or later is required, this is ${process.versions.node}. Run "npm ci", which installs it on Linux and Windows; on other systems install it yourself.\n`,
  )
}

if (process.argv[1] === import.meta.filename && !nodeIsNewEnough()) {
  reportOldNode()
  process.exit(1)
}
