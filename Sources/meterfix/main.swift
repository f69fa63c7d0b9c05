print("meterfix")
