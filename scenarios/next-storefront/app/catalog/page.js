import { countRender } from '../../lib/renders';
import { price, shelf } from '../../lib/shop';

export const revalidate = 5;

export default function Catalog() {
  countRender('/catalog');
  return (
    <>
      <h1>Catalog</h1>
      <p>As of {new Date().toISOString()}</p>
      <ul>
        {shelf(24).map((item) => (
          <li key={item.id}>
            {item.name}: {price(item.cents)}
          </li>
        ))}
      </ul>
    </>
  );
}
