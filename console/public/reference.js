/** Opens the API reference in the theme of the site, and follows its changes. */
const system = matchMedia('(prefers-color-scheme: dark)')
const theme = () => document.documentElement.dataset.theme ?? (system.matches ? 'dark' : 'light')

Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  // These features contact the vendor's servers.
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // The switch in the header is the only one.
  forceDarkModeState: theme(),
})

/** Scalar reads its own setting once, and its colours follow these classes. */
function applyTheme() {
  for (const name of ['light', 'dark']) document.body.classList.toggle(`${name}-mode`, name === theme())
}

system.addEventListener('change', applyTheme)
new MutationObserver(applyTheme).observe(document.documentElement, { attributeFilter: ['data-theme'] })

/** Scalar's copy buttons have no name, and the keyboard cannot scroll its lists. Both come and go with what is in view. */
function completeControls() {
  for (const button of document.querySelectorAll('button.group\\/copy-button:not([aria-label])'))
    button.setAttribute('aria-label', 'Copy')
  for (const list of document.querySelectorAll('ul.endpoints:not([tabindex])')) list.tabIndex = 0
}

new MutationObserver(completeControls).observe(document.body, { childList: true, subtree: true })
