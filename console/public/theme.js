/** Before the first paint: the theme that was chosen here, where one was. */
try {
  const theme = localStorage.getItem('fairway.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be closed to us; then the system's theme it is.
}
