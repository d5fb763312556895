import { countRender } from '../lib/renders';
import { price, shelf } from '../lib/shop';

export function getServerSideProps() {
  countRender('/plain-pages');
  return { props: { items: shelf(200) } };
}

export default function PlainPages({ items }) {
  return (
    <main>
      <h1>Price list</h1>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            {item.name}: {price(item.cents)}
          </li>
        ))}
      </ul>
    </main>
  );
}
