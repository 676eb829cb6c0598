// The button for the theme. The style sheet knows only what the system prefers: the button changes what its media
// rules ask for, so that no colour stands there twice.

const ASKED = "(prefers-color-scheme: dark)";
const THEMES = { auto: ASKED, light: "not all", dark: "screen" }; // paper stays light
const KEY = "symtape-theme";

const button = document.querySelector("[data-do=theme]");
const word = button.querySelector("span");
const rules = [...document.styleSheets]
  .flatMap((sheet) => [...sheet.cssRules])
  .filter((rule) => rule instanceof CSSMediaRule && rule.conditionText === ASKED);

function show(name) {
  for (const rule of rules) rule.media.mediaText = THEMES[name];
  document.documentElement.style.colorScheme = name === "auto" ? "" : name;
  word.textContent = name;
}

// A browser may refuse to keep anything for a page from disk; the choice holds then until the page is left.
function kept() {
  try {
    const name = localStorage.getItem(KEY);
    return Object.hasOwn(THEMES, name) ? name : "auto";
  } catch {
    return "auto";
  }
}

function keep(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // As said above.
  }
}

button.addEventListener("click", () => {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(word.textContent) + 1) % names.length];
  keep(next);
  show(next);
});
button.hidden = false;
show(kept());
