"""The compiled model at run time: keys and items made by generated code, and back."""
