/** The theme switch of the guide, the API reference and the page for unknown addresses. */
const storageName = 'fairway.theme'
const root = document.documentElement
const buttons = [...document.querySelectorAll('[data-theme-choice]')]

function show() {
  for (const button of buttons)
    button.setAttribute(
      'aria-pressed',
      String(button.dataset.themeChoice === (root.dataset.theme ?? 'system')),
    )
}

function choose(theme) {
  if (theme === 'system') delete root.dataset.theme
  else root.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(storageName)
    else localStorage.setItem(storageName, theme)
  } catch {
    // Without storage, the choice lasts for this page.
  }
  show()
}

for (const button of buttons) button.addEventListener('click', () => choose(button.dataset.themeChoice))
show()
document.querySelector('.theme-switch').hidden = false
