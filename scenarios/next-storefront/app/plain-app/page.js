import { countRender } from '../../lib/renders';
import { price, shelf } from '../../lib/shop';

export const dynamic = 'force-dynamic';

export default function PlainApp() {
  countRender('/plain-app');
  return (
    <>
      <h1>Price list</h1>
      <ul>
        {shelf(200).map((item) => (
          <li key={item.id}>
            {item.name}: {price(item.cents)}
          </li>
        ))}
      </ul>
    </>
  );
}
