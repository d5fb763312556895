/** The shop's fixed stock: nothing here reads a clock or rolls dice. */
const NAMES = ['Lamp', 'Chair', 'Kettle', 'Rug', 'Mirror', 'Shelf', 'Clock', 'Vase'];

export function product(id) {
  const number = [...id].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 100_000, 7);
  return { id, name: `${NAMES[number % NAMES.length]} ${id}`, cents: 500 + (number % 20_000) };
}

export function shelf(count) {
  return Array.from({ length: count }, (_, index) => product(String(index + 1)));
}

export function price(cents) {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} EUR`;
}

export function after(millis) {
  return new Promise((resolve) => setTimeout(resolve, millis));
}
