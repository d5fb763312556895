'use strict';
(() => {
  const find = document.getElementById('find');
  const unfold = document.getElementById('unfold');
  const gates = [...document.querySelectorAll('.gate')];
  find.hidden = false;
  unfold.hidden = false;

  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const gate of gates) {
      const text = gate.dataset.text + ' ' + gate.dataset.verdict;
      gate.hidden = !words.every(word => text.includes(word));
    }
    for (const module of document.querySelectorAll('.module')) {
      module.hidden = !module.querySelector('.gate:not([hidden])');
    }
  };
  find.addEventListener('input', filter);

  unfold.addEventListener('click', () => {
    const open = unfold.textContent === 'Open all';
    for (const gate of gates) gate.open = open;
    unfold.textContent = open ? 'Close all' : 'Open all';
  });

  const openNamed = () => {
    const gate = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (gate instanceof HTMLDetailsElement) {
      find.value = '';
      filter();
      gate.open = true;
      gate.scrollIntoView();
    }
  };
  addEventListener('hashchange', openNamed);
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) openNamed();
  });
  if (location.hash) openNamed();
})();
