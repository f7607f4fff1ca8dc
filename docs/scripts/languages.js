// Shows one language of each group of examples. The choice is kept for all pages.
const CHOSEN = 'tollgate-docs-language';
const groups = [...document.querySelectorAll('.examples')].map((group) => {
  const figures = [...group.querySelectorAll('figure')];
  const bar = document.createElement('div');
  bar.className = 'choices';
  bar.role = 'group';
  bar.ariaLabel = 'Language of the example';
  const buttons = figures.map((figure) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = figure.querySelector('figcaption').textContent;
    button.addEventListener('click', () => {
      localStorage.setItem(CHOSEN, figure.dataset.language);
      choose(figure.dataset.language);
      button.scrollIntoView({ block: 'nearest' });
    });
    figure.querySelector('figcaption').hidden = true;
    return button;
  });
  bar.append(...buttons);
  group.prepend(bar);
  return { figures, buttons };
});

/** Groups without that language keep theirs. */
function choose(language) {
  for (const { figures, buttons } of groups) {
    const wanted = figures.findIndex((figure) => figure.dataset.language === language);
    const shown = figures.findIndex((figure) => !figure.hidden);
    const chosen = wanted === -1 ? shown : wanted;
    figures.forEach((figure, index) => {
      figure.hidden = index !== chosen;
      buttons[index].ariaPressed = String(index === chosen);
    });
  }
}

choose(localStorage.getItem(CHOSEN));
