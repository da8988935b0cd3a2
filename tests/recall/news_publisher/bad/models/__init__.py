"""The stores of a news publisher: newsroom, printing, readers, money, comments, reading, advertising, live site."""
