import { cookies } from 'next/headers';
import { countRender } from '../../lib/renders';
import { product } from '../../lib/shop';
import { addToBasket } from './actions';

export default async function Basket() {
  const held = (await cookies()).get('basket')?.value.split('.') ?? [];
  countRender('/basket');
  return (
    <>
      <h1>Basket</h1>
      <ol>
        {held.map((id, index) => (
          <li key={index}>{product(id).name}</li>
        ))}
      </ol>
      <form action={addToBasket}>
        <input name="product" defaultValue="1" aria-label="Product number" />
        <button type="submit">Add</button>
      </form>
    </>
  );
}
