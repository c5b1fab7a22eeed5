/** The frame of the pages that are built as HTML: the guide, the API reference and the page for unknown addresses. */

/** Pages of the header, in order. */
const places = [
  ['/', 'Console'],
  ['/guide/', 'Guide'],
  ['/docs/', 'API<span class="wide"> reference</span>'],
] as const

/** The paths of files that a page needs. */
export interface PageFiles {
  readonly styles: string
  readonly script: string
}

interface Framed {
  readonly title: string
  /** The place of the header that this page belongs to; null for none. */
  readonly place: '/guide/' | '/docs/' | null
  readonly files: PageFiles
  /** The markup below the header. */
  readonly body: string
  /** Further script elements. */
  readonly scripts?: readonly string[]
}

const logo = `<svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M16 5l5 14h-10z" fill="#fff"/><path d="M6 23q5-4 10 0t10 0" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`

/** The icons of the console's themes. */
const themes = [
  ['system', 'System theme', 'M4 5h16v11H4zm5 15h6m-3-4v4'],
  [
    'light',
    'Light theme',
    'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  ],
  ['dark', 'Dark theme', 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.500 8.500 0 1 0 20 14.500Z'],
] as const

/** Hidden until the script shows it, as is the theme switch: both need it. */
const searchButton = `<button type="button" class="search-open" aria-haspopup="dialog" hidden><svg width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm5-2 5 5"/></svg><span>Search</span><kbd aria-hidden="true"></kbd></button>`

/** Without scripts the system's theme applies. */
const themeSwitch = `<div class="theme-switch" role="group" aria-label="Theme" hidden>${themes
  .map(
    ([theme, label, path]) =>
      `<button type="button" data-theme-choice="${theme}" aria-label="${label}" title="${label}" aria-pressed="false"><svg width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><path d="${path}"/></svg></button>`,
  )
  .join('')}</div>`

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** The element `#content` is the target of the first link; the body must have it. */
export function framedPage({ title, place, files, body, scripts = [] }: Framed): string {
  const links = places.map(
    ([path, name]) => `<a href="${path}"${path === place ? ' aria-current="page"' : ''}>${name}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<script src="/theme.js"></script>
<link rel="stylesheet" href="${files.styles}">
<script type="module" src="${files.script}"></script>
${scripts.join('\n')}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="site-header">
<a class="brand" href="/" aria-label="Fairway">${logo}<span class="wide" aria-hidden="true">Fairway</span></a>
<nav aria-label="Site">${links.join('')}</nav>
${searchButton}
${themeSwitch}
</header>
${body}
</body>
</html>
`
}
