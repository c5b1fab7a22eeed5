/** Node.js 22 says at each start that its SQLite is experimental: the versions that Fairway runs on are tested with it. */
export function hideExperimental() {
  const [print] = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') print?.call(process, warning)
  })
}
