raise ImportError("this is not the library")
